public import JSONSyntax

/// Why a template gives no path.
public struct PathTemplateError: Error, Sendable, Hashable {
  /// What is wrong.
  public var message: String
  /// What to do about it.
  public var help: String?
}

extension Template {
  /// The path with values filled in as names: each stands in quotes of the path, and is escaped there.
  public func path(_ value: (Segment) -> String) throws(PathTemplateError) -> JSONPath {
    var text = ""
    var quote: Character?
    for segment in segments {
      if case .text(let plain) = segment {
        var isEscaped = false
        for character in plain {
          if isEscaped {
            isEscaped = false
          } else if let open = quote {
            if character == "\\" { isEscaped = true } else if character == open { quote = nil }
          } else if character == "'" || character == "\"" {
            quote = character
          }
        }
        text += plain
        continue
      }
      guard let quote else {
        throw PathTemplateError(
          message: "a template in a path stands in quotes", help: "write $.data['{{ vars.region }}']")
      }
      text += Self.escaped(value(segment), in: quote)
    }
    do throws(JSONPathError) {
      return try JSONPath(parsing: text)
    } catch {
      throw PathTemplateError(
        message: "'\(sourceText)' is not a JSONPath: \(error.message)",
        help: "paths follow RFC 9535, for example $.data[*]")
    }
  }

  /// RFC 9535, section 2.3.1.1.
  private static func escaped(_ value: String, in quote: Character) -> String {
    var text = ""
    for scalar in value.unicodeScalars {
      if scalar == "\\" || Character(scalar) == quote {
        text += "\\"
        text.unicodeScalars.append(scalar)
      } else if scalar.value < 0x20 {
        text += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
