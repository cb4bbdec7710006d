internal import ReactorCore
internal import Synchronization

/// The header lists of the last request with some settings: the pages of a flow, and most flows of a file, send the same
/// fields again and again.
final class PreparedFields: Sendable {
  /// Who reads the request's fields.
  enum Way: Sendable {
    /// The server.
    case direct
    /// The server and a proxy.
    case proxy
    /// The server; a proxy reads only those meant for it.
    case tunnel
  }

  /// What libcurl is given.
  struct Lists: Sendable {
    let server: HeaderList
    let proxy: HeaderList?
  }

  private struct Last {
    let resource: Headers
    let fields: RequestFields
    var made: (hasBody: Bool, way: Way, lists: Lists)?
  }

  private let last = Mutex<Last?>(nil)

  /// The connection's and the resource's fields, checked.
  func fields(_ resource: Headers, options: HTTPOptions) throws(ReactorError) -> RequestFields {
    if let fields = last.withLock({ $0?.resource == resource ? $0?.fields : nil }) { return fields }
    let fields = try RequestFields(resource, options: options)
    last.withLock { $0 = Last(resource: resource, fields: fields, made: nil) }
    return fields
  }

  /// The lists for a request; nil when memory is short.
  func lists(_ fields: RequestFields, userAgent: String, hasBody: Bool, way: Way) -> Lists? {
    let known: Lists? = last.withLock { last in
      guard let last, let made = last.made, made.hasBody == hasBody, made.way == way, last.fields == fields else {
        return nil
      }
      return made.lists
    }
    if let known { return known }
    guard let server = HeaderList(fields.lines(userAgent: userAgent, hasBody: hasBody, toProxy: way == .proxy)),
      let proxy = HeaderList(way == .tunnel ? fields.proxyLines : [])
    else { return nil }
    let lists = Lists(server: server, proxy: proxy.first == nil ? nil : proxy)
    last.withLock { last in
      if last?.fields == fields { last?.made = (hasBody, way, lists) }
    }
    return lists
  }
}
