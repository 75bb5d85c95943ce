extension ItemAttributes {
    /// The attributes as they compare: without dates, and without those that are as good as absent,
    /// which one store gives and another one does not.
    package var withoutAbsent: ItemAttributes {
        var attributes = withoutDates
        for path in [\.account, \.service, \.server, \.path, \.securityDomain, \.label]
            as [WritableKeyPath<ItemAttributes, ByteString?>]
        where attributes[keyPath: path]?.isEmpty == true {
            attributes[keyPath: path] = nil
        }
        for path in [\.synchronizable, \.isInvisible, \.isNegative]
            as [WritableKeyPath<ItemAttributes, Bool?>]
        where attributes[keyPath: path] == false {
            attributes[keyPath: path] = nil
        }
        if port == 0 {
            attributes.port = nil
        }
        if `protocol`?.rawValue.isEmpty == true {
            attributes.protocol = nil
        }
        if authenticationType?.rawValue.rawValue == 0 {
            attributes.authenticationType = nil
        }
        return attributes
    }
}
