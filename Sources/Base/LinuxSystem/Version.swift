/// The version of every executable here.
package let lanyardVersion = "0.1.0"
