internal import JSONSyntax
internal import ReactorCore

/// Puts a credential into a body.
enum CredentialBody {
  /// Returns the body with the member or pair added; it replaces an existing one of the same name.
  static func adding(_ name: String, _ value: String, to resource: Resource) throws(ReactorError) -> [UInt8] {
    guard let body = resource.body else {
      throw .server("the request has no body in which the credential '\(name)' can be sent")
    }
    let type = resource.headers["Content-Type"]?.lowercased() ?? ""
    if type.hasPrefix("application/x-www-form-urlencoded") { return addingPair(name, value, to: body) }
    let parsed: JSONValue
    do throws(JSONError) {
      parsed = try JSONValue(parsing: body)
    } catch {
      throw .server("the request's body is neither JSON nor a form, so the credential '\(name)' cannot be added")
    }
    guard case .object(let object) = parsed else {
      throw .server("the request's body is not a JSON object, so the credential '\(name)' cannot be added")
    }
    let members = object.members.filter { $0.name != name }
    return JSONWriter.bytes(.object(JSONObject(members + [JSONObject.Member(name: name, value: .string(value))])))
  }

  private static func addingPair(_ name: String, _ value: String, to body: [UInt8]) -> [UInt8] {
    let name = Array(FormText.encoded(name).utf8)
    var pairs = body.split(separator: UInt8(ascii: "&")).filter { pair in
      !pair.prefix { $0 != UInt8(ascii: "=") }.elementsEqual(name)
    }.map(Array.init)
    pairs.append(name + [UInt8(ascii: "=")] + Array(FormText.encoded(value).utf8))
    return Array(pairs.joined(separator: [UInt8(ascii: "&")]))
  }
}
