/// A response: its head, and its body as a stream.
public struct Response: Sendable {
  /// HTTP status, 100 to 999.
  public var status: Int
  /// Header fields in the order received.
  public var headers: Headers
  /// The URL of the response, after redirects, without user information.
  public var url: String
  /// The decoded body; it can be read only once.
  public var body: ResponseBody
  /// The decision of a response rule; nil when the response is judged by its status and its body is read.
  public var meaning: ResponseMeaning?
  /// The durations of the steps before the body, where they were measured.
  public var timings: FlowTimings

  /// Builds a response.
  public init(
    status: Int, headers: Headers = Headers(), url: String = "", body: ResponseBody,
    timings: FlowTimings = FlowTimings()
  ) {
    self.status = status
    self.headers = headers
    self.url = url
    self.body = body
    self.timings = timings
  }
}
