/// The requests with certain methods and paths.
public struct RequestPattern: Sendable, Hashable {
  /// The methods; empty for all.
  public var methods: Set<Resource.Method>
  /// The path patterns; one of them must match. Empty for all paths.
  public var paths: [PathPattern]

  /// Creates a pattern.
  public init(methods: Set<Resource.Method> = [], paths: [PathPattern] = []) {
    self.methods = methods
    self.paths = paths
  }

  /// The pattern as a text, the same in all processes.
  var words: String {
    (methods.map(\.rawValue).sorted() + paths.map { String(describing: $0) }).joined(separator: " ")
  }

  /// Whether a request belongs to the pattern.
  ///
  /// The path is the part of the request's URL after the path of the base URL. The path of a URL that is not below the
  /// base URL, such as a link of the server, is its whole path. A request without a URL belongs to no pattern.
  public func matches(_ resource: Resource, relativeTo base: String) -> Bool {
    guard methods.isEmpty || methods.contains(resource.method) else { return false }
    guard !paths.isEmpty else { return true }
    guard let base = try? BaseURL(parsing: base), let url = try? resource.url(relativeTo: base) else { return false }
    let path = Self.path(of: url, below: base)
    return paths.contains { $0.matches(path) }
  }

  private static func path(of url: String, below base: BaseURL) -> Substring.UTF8View {
    let slash = UInt8(ascii: "/")
    var path = url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    if path.starts(with: base.origin.utf8) {
      path = path.dropFirst(base.origin.utf8.count)
      let folder = base.path.hasSuffix("/") ? base.path.dropLast() : base.path[...]
      let rest = path.dropFirst(folder.utf8.count)
      if path.starts(with: folder.utf8), rest.isEmpty || rest.first == slash { path = rest }
    } else if let end = path.firstIndex(of: UInt8(ascii: ":")) {
      // After the colon are two slashes and the authority.
      path = path[end...].dropFirst(3).drop { $0 != slash }
    }
    return path.isEmpty ? "/"[...].utf8 : path
  }
}
