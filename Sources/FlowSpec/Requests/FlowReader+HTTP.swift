internal import Boxes
internal import FlowModel
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Reads the settings of an `http` mapping.
  ///
  /// - Parameter base: the settings that absent keys keep
  mutating func http(_ value: FieldValue?, over base: Boxed<Transfer>) -> HTTPSettings {
    var settings = HTTPSettings(over: base)
    guard let value, !value.node.isNull else { return settings }
    guard let nodes = open(value, as: .http) else {
      (settings.hasInvalidBaseURL, settings.hasInvalidAuth) = (true, true)
      return settings
    }
    let baseURL = reading(HTTPKeys.baseURL, of: nodes)
    (settings.baseURL, settings.hasInvalidBaseURL) = (baseURL.value, baseURL.isBroken)
    settings.headers = read(HTTPKeys.headers, of: nodes) ?? []
    let auth = reading(HTTPKeys.auth, of: nodes)
    (settings.auth, settings.hasInvalidAuth) = (auth.value, auth.isBroken)
    var transfer = settings.transfer
    fill(&transfer, with: HTTPKeys.stored, from: nodes)
    settings.clientCertificate = read(HTTPKeys.clientCertificate, of: nodes)
    if let certificate = settings.clientCertificate { transfer.clientCertificate = certificate.value }
    settings.transfer = transfer
    return settings
  }

  /// Reads header fields. Reserved names and duplicates are errors.
  mutating func headers(_ value: FieldValue) -> [NamedTemplate] {
    var seen: [String: SourceRange] = [:]
    return namedTemplates(value, role: .header).filter { header in
      let name = header.name.value.lowercased()
      if ["host", "content-length", "transfer-encoding", "connection"].contains(name) {
        report(
          .reservedHeader, "header '\(header.name.value)' is set by the transport", at: header.name.range,
          help: name == "host" ? "the host comes from base_url" : "leave it out")
        return false
      }
      if let first = seen[name] {
        report(
          .duplicateItem, "header '\(header.name.value)' is named twice; upper and lower case are equal",
          at: header.name.range,
          notes: [Diagnostic.Note("the header is already named here", at: first)])
        return false
      }
      seen[name] = header.name.range
      return true
    }
  }

  /// Reads a URL. The values of its templates are checked when they are resolved.
  mutating func url(
    _ value: FieldValue, check: (_ text: String, _ isWhole: Bool) throws(URLSyntaxError) -> Void
  ) -> Located<Template>? {
    guard let template = lineTemplate(value) else { return nil }
    guard case .text(let head)? = template.value.segments.first else {
      if template.value.segments.isEmpty {
        return fail(.missingValue, "'\(value.spec.name)' is empty", at: value.node.range)
      }
      return template
    }
    do throws(URLSyntaxError) {
      try check(head, template.value.segments.count == 1)
      return template
    } catch {
      let end = head.utf8.count
      return fail(
        .invalidURL, error.message,
        at: error.offset == 0 || template.value.constantText == nil
          ? value.node.range : location(of: min(error.offset, end)..<end, in: value.node), help: error.help)
    }
  }

  /// Reads the URL of a proxy, or the word `none`.
  mutating func proxy(_ value: FieldValue) -> Transfer.Proxy? {
    if case .scalar(let scalar) = value.node.content, scalar.text == "none" { return .direct }
    return url(value, check: BaseURLText.checkProxy).map { .url(.template($0)) }
  }

  /// Reads hosts and address ranges; duplicates are reported.
  mutating func allow(_ value: FieldValue) -> [Transfer.Destination]? {
    guard let values = elements(of: value) else { return nil }
    guard !values.isEmpty else {
      return fail(
        .missingValue, "'allow' is empty, so no host could be reached", at: value.node.range,
        help: "list hosts or address ranges, or leave it out")
    }
    var seen: [Transfer.Destination: SourceRange] = [:]
    var entries: [Transfer.Destination] = []
    for value in values {
      guard let text = text(value) else { continue }
      do throws(ValueError) {
        let entry = try AllowText.value(of: text)
        if !isRepeated(entry, entry.text, at: value.node.range, in: &seen) { entries.append(entry) }
      } catch {
        report(.invalidAddress, "'\(printable(text))' is not a host or address range", error, at: value)
      }
    }
    return entries
  }

  /// Reads the files of the client's certificate, or the word `none`.
  mutating func clientCertificate(_ value: FieldValue) -> Located<Transfer.ClientCertificate?>? {
    if value.node.isScalar {
      return choice(value, ["none"]).map { _ in Located(nil, at: value.node.range) }
    }
    guard let nodes = open(value, as: .clientCertificate) else { return nil }
    let key = read(ClientCertificateKeys.key, of: nodes)
    let password = read(ClientCertificateKeys.password, of: nodes)
    return read(ClientCertificateKeys.certificate, of: nodes).map {
      Located(
        Transfer.ClientCertificate(certificate: $0, key: key, password: password.map { .template($0) }), at: value.key)
    }
  }

  /// The certificate that a flow shows: its own, or the file's if the flow uses the file's server.
  mutating func clientCertificate(
    _ own: HTTPSettings, over file: HTTPSettings, of flow: String
  ) -> Transfer.ClientCertificate? {
    if let own = own.clientCertificate { return own.value }
    guard let shared = file.clientCertificate, let certificate = shared.value else { return nil }
    if let base = own.baseURL, !Self.isSameServer(base.value, file.baseURL?.value) {
      return fail(
        .authConflict, "flow '\(flow)' would show the file's client certificate to another server", at: base.range,
        notes: [Diagnostic.Note("the certificate is declared here", at: shared.range)],
        help: "give the flow its own 'client_certificate', or 'client_certificate: none'")
    }
    return certificate
  }

  /// Reads the path of a file, relative to the flow file.
  mutating func filePath(_ value: FieldValue) -> String? {
    guard let text = text(value) else { return nil }
    let name = value.spec.name
    guard !text.isEmpty else {
      return fail(.missingValue, "'\(name)' is empty", at: value.node.range, help: "leave it out, or name a PEM file")
    }
    guard !text.utf8.contains(where: ASCII.isControl) else {
      return fail(.controlCharacter, "'\(name)' contains a control character", at: value.node.range)
    }
    return PathText.joined(folder: PathText.folder(of: file.path), text)
  }
}

/// The values of an `http` mapping.
struct HTTPSettings {
  @BoxedIfPresent var baseURL: Located<Template>?
  /// Whether a base URL has an error. A missing base URL is then not reported.
  var hasInvalidBaseURL = false
  /// Whether `auth` has an error.
  var hasInvalidAuth = false
  var headers: [NamedTemplate] = []
  @BoxedIfPresent var auth: Located<WrittenAuth>?
  /// The certificate that the mapping itself declares; nil if the key is absent. The value inside is nil for the word
  /// `none`: no certificate is shown.
  @BoxedIfPresent var clientCertificate: Located<Transfer.ClientCertificate?>?
  /// How requests are sent, with the settings of the file for absent keys.
  @Boxed var transfer: Transfer

  init(over transfer: Boxed<Transfer>) { _transfer = transfer }

  /// These settings, completed by the base URL and the headers of `other`. Headers are merged by name.
  func over(_ other: HTTPSettings) -> HTTPSettings {
    var result = self
    if baseURL == nil, !hasInvalidBaseURL {
      result.baseURL = other.baseURL
      result.hasInvalidBaseURL = other.hasInvalidBaseURL
    }
    result.headers = Self.joined(other.headers, headers)
    return result
  }

  /// Merges two lists of headers by name, in order; upper and lower case are equal.
  ///
  /// A later header replaces an earlier header of the same name, at the earlier header's position.
  static func joined(_ earlier: [NamedTemplate], _ later: [NamedTemplate]) -> [NamedTemplate] {
    guard !earlier.isEmpty, !later.isEmpty else { return earlier.isEmpty ? later : earlier }
    var result = earlier
    var indices: [String: Int] = [:]
    for (index, header) in result.enumerated() { indices[header.name.value.lowercased()] = index }
    for header in later {
      if let index = indices[header.name.value.lowercased()] {
        result[index] = header
      } else {
        indices[header.name.value.lowercased()] = result.count
        result.append(header)
      }
    }
    return result
  }
}
