internal import ByteCodings
internal import Fixtures

/// The name of a server in a word, by which its flow file and its secrets are named.
enum ServerName {
  /// The word for a URL: `https://api.github.com` gives `github`; nil where the host is an address or one word.
  static func word(of origin: String) -> String? {
    let host = origin.drop { $0 != "/" }.drop { $0 == "/" }.prefix { $0 != ":" && $0 != "/" }
    var labels = host.lowercased().split(separator: ".").map(String.init)
    guard labels.count > 1, !host.contains("["), !(labels.last?.utf8.allSatisfy(ASCII.isDigit) ?? true) else {
      return nil
    }
    labels.removeLast()
    // The second part of endings such as `co.uk`.
    if labels.count > 1, let last = labels.last, last.utf8.count <= 3 { labels.removeLast() }
    let word = DraftFlow.name(for: labels.last ?? "")
    return word == "records" ? nil : word
  }
}
