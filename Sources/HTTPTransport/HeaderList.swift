internal import CCurl

/// The header lines of one request, in the list type of libcurl.
///
/// `@unchecked Sendable`: the list is built in `init` and never changes afterwards. A transfer keeps a reference to it
/// while libcurl reads it. It is freed with its last reference.
final class HeaderList: @unchecked Sendable {
  /// The first element; nil when memory was short for the first line.
  let first: UnsafeMutablePointer<curl_slist>?

  /// Creates a list; nil when memory is short.
  init?(_ lines: [String]) {
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines {
      guard let longer = ccurl_slist_append(list, line) else {
        ccurl_slist_free_all(list)
        return nil
      }
      list = longer
    }
    first = list
  }

  deinit { ccurl_slist_free_all(first) }
}
