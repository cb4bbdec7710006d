/// What an `http` mapping says; absent keys are nil.
struct HTTPSettings {
  var baseURL: Located<Template>?
  /// Whether a base URL was written but is faulty, so that its absence is not reported.
  var hasInvalidBaseURL = false
  /// Whether authorization was written but is faulty, so that nothing is known of what is sent.
  var hasInvalidAuth = false
  var headers: [NamedTemplate] = []
  var auth: Located<AuthDeclaration>?
  var timeout: Located<Double>?
  var maxBytes: Int?
  var redirects: RedirectDeclaration?
  var allow: [AllowDeclaration]?
  var caFile: Located<String>?
  var proxy: ProxyDeclaration?
  var rate: RateDeclaration?

  /// These settings where they say something, else the others'; headers are joined by name.
  func over(_ other: HTTPSettings) -> HTTPSettings {
    var result = other
    if baseURL != nil || hasInvalidBaseURL {
      result.baseURL = baseURL
      result.hasInvalidBaseURL = hasInvalidBaseURL
    }
    result.headers = Self.joined(other.headers, headers)
    result.auth = auth ?? other.auth
    result.timeout = timeout ?? other.timeout
    result.maxBytes = maxBytes ?? other.maxBytes
    result.redirects = redirects ?? other.redirects
    result.allow = allow ?? other.allow
    result.caFile = caFile ?? other.caFile
    result.proxy = proxy ?? other.proxy
    result.rate = rate ?? other.rate
    return result
  }

  /// Headers in order; a later one replaces an earlier one of the same name, whatever the case, at its place.
  static func joined(_ earlier: [NamedTemplate], _ later: [NamedTemplate]) -> [NamedTemplate] {
    guard !earlier.isEmpty, !later.isEmpty else { return earlier.isEmpty ? later : earlier }
    var result = earlier
    var places: [String: Int] = [:]
    for (place, header) in result.enumerated() { places[header.name.value.lowercased()] = place }
    for header in later {
      if let place = places[header.name.value.lowercased()] {
        result[place] = header
      } else {
        places[header.name.value.lowercased()] = result.count
        result.append(header)
      }
    }
    return result
  }
}
