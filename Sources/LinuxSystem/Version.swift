/// The version of every executable here.
package let version = "0.1.0"
