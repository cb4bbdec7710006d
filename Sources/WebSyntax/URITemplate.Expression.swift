internal import ByteCodings

extension URITemplate {
  /// The content of one pair of braces.
  struct Expression: Sendable, Hashable {
    var expansionOperator: Operator
    var variables: [Variable]

    func expand(_ value: (String) -> Value?, into result: inout [UInt8]) throws(URITemplateError) {
      var isFirst = true
      for variable in variables {
        guard let value = value(variable.name), !value.isUndefined else { continue }
        result.append(contentsOf: (isFirst ? expansionOperator.start : expansionOperator.separator).utf8)
        isFirst = false
        try append(value, of: variable, to: &result)
      }
    }

    private func append(_ value: Value, of variable: Variable, to result: inout [UInt8]) throws(URITemplateError) {
      switch value {
      case .text(let text):
        appendName(variable.name, isEmpty: text.isEmpty, to: &result)
        appendEncoded(variable.prefix.map { shortened(text, to: $0) } ?? text[...], to: &result)
        return
      case .list, .map:
        guard variable.prefix == nil else {
          throw URITemplateError(reason: .prefixOfComposite, offset: variable.offset)
        }
      }
      if variable.explodes {
        appendExploded(value, of: variable, to: &result)
      } else {
        appendName(variable.name, isEmpty: false, to: &result)
        appendJoined(value, to: &result)
      }
    }

    private func appendExploded(_ value: Value, of variable: Variable, to result: inout [UInt8]) {
      var isFirst = true
      func separate() {
        if !isFirst { result.append(contentsOf: expansionOperator.separator.utf8) }
        isFirst = false
      }
      switch value {
      case .text: return
      case .list(let items):
        for item in items {
          separate()
          appendName(variable.name, isEmpty: item.isEmpty, to: &result)
          appendEncoded(item[...], to: &result)
        }
      case .map(let entries):
        for entry in entries {
          separate()
          appendEncoded(entry.name[...], to: &result)
          if !entry.value.isEmpty || !expansionOperator.isNamed {
            result.append(UInt8(ascii: "="))
          } else {
            result.append(contentsOf: expansionOperator.afterEmpty.utf8)
          }
          appendEncoded(entry.value[...], to: &result)
        }
      }
    }

    private func appendJoined(_ value: Value, to result: inout [UInt8]) {
      let texts: [String]
      switch value {
      case .text(let text): texts = [text]
      case .list(let items): texts = items
      case .map(let entries): texts = entries.flatMap { [$0.name, $0.value] }
      }
      for (index, text) in texts.enumerated() {
        if index > 0 { result.append(UInt8(ascii: ",")) }
        appendEncoded(text[...], to: &result)
      }
    }

    private func appendName(_ name: String, isEmpty: Bool, to result: inout [UInt8]) {
      guard expansionOperator.isNamed else { return }
      result.append(contentsOf: name.utf8)
      result.append(contentsOf: (isEmpty ? expansionOperator.afterEmpty : "=").utf8)
    }

    private func appendEncoded(_ text: Substring, to result: inout [UInt8]) {
      let bytes = Array(text.utf8)[...]
      let keepsReserved = expansionOperator.allowsReserved
      PercentCoding.append(bytes, to: &result, keepsEscapes: keepsReserved) {
        PercentCoding.isUnreserved($0) || keepsReserved && PercentCoding.isReserved($0)
      }
    }

    /// The first `count` characters (Unicode scalars) of a text.
    ///
    /// If the operator preserves escapes (`%XX`), each escape counts as one character and is not split.
    private func shortened(_ text: String, to count: Int) -> Substring {
      let scalars = text.unicodeScalars
      var index = scalars.startIndex
      for _ in 0..<count where index < scalars.endIndex {
        if expansionOperator.allowsReserved, scalars[index] == "%" {
          let escape = Array(text[index...].utf8.prefix(3))
          if PercentCoding.escapedByte(at: 0, in: escape[...]) != nil {
            index = scalars.index(index, offsetBy: 3)
            continue
          }
        }
        index = scalars.index(after: index)
      }
      return text[..<index]
    }
  }
}

extension URITemplate.Value {
  fileprivate var isUndefined: Bool {
    switch self {
    case .text: false
    case .list(let items): items.isEmpty
    case .map(let entries): entries.isEmpty
    }
  }
}
