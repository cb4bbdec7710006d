package import ReactorCore

/// A server that a flow requests, with its name in fixtures.
///
/// The name replaces the server, because its host and port may change later.
package struct FixtureBase: Sendable, Hashable {
  /// The name; `base` for the flow's own server.
  package let name: String
  /// The base URL, with its path.
  package let url: BaseURL

  /// Creates a named server.
  package init(name: String = "base", url: BaseURL) {
    self.name = name
    self.url = url
  }

  /// The mark that replaces scheme, host and port.
  var mark: String { "{{\(name)}}" }

  /// The notations of the server in requests and responses, each with the mark that replaces it in a fixture.
  var marks: [(text: String, mark: String, before: ByteReplacer.Edge)] {
    let authority = url.authority
    let percent = authority.replacing(":", with: "%3A")
    var marks: [(String, String, ByteReplacer.Edge)] = [
      ("\(url.scheme)://\(authority)", "{{\(name)}}", .free),
      ("\(url.scheme):\\/\\/\(authority)", "{{\(name)|json}}", .free),
      ("\(url.scheme)%3A%2F%2F\(percent)", "{{\(name)|percent}}", .free),
      ("\(url.scheme)%3a%2f%2f\(percent.replacing("%3A", with: "%3a"))", "{{\(name)|percent-lower}}", .free),
      ("\(url.scheme)://\(percent)", "{{\(name)|half}}", .free),
    ]
    // A host without a port may be an ordinary word. Only with its port does it certainly name this server.
    if authority != url.host {
      marks += [(authority, "{{\(name)|host}}", .host), (percent, "{{\(name)|host-percent}}", .host)]
    }
    var known: Set<String> = []
    return marks.filter { known.insert($0.0).inserted }
  }
}

extension FixtureBase {
  /// Creates the flow's own server from its URL.
  package init(parsing url: String) throws(FixtureError) {
    do throws(ReactorError) {
      self.init(url: try BaseURL(parsing: url))
    } catch {
      throw FixtureError(error.message)
    }
  }
}
