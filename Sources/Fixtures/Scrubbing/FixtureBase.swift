package import ReactorCore

/// A server that a flow asks, under the name that stands for it in fixtures: its host and port are another's tomorrow.
package struct FixtureBase: Sendable, Hashable {
  /// `base` for the flow's own server.
  package let name: String
  /// The base URL, with its path.
  package let url: BaseURL

  /// Names a server.
  package init(name: String = "base", url: BaseURL) {
    self.name = name
    self.url = url
  }

  /// What stands for scheme, host and port.
  var mark: String { "{{\(name)}}" }

  /// The texts that name the server, and what stands for each in a fixture.
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
    // A host alone is a word like any other; with its port it names this server.
    if authority != url.host {
      marks += [(authority, "{{\(name)|host}}", .host), (percent, "{{\(name)|host-percent}}", .host)]
    }
    var known: Set<String> = []
    return marks.filter { known.insert($0.0).inserted }
  }
}

extension FixtureBase {
  /// The flow's own server by its URL.
  package init(parsing url: String) throws(FixtureError) {
    do throws(ReactorError) {
      self.init(url: try BaseURL(parsing: url))
    } catch {
      throw FixtureError(error.message)
    }
  }
}
