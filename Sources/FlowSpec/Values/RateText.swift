/// Reads rates: `10/s`, `600/m`, `5000/h`, `1/5s`.
enum RateText {
  /// The numbers of requests that make sense.
  static let requests = 1...100_000

  static func limit(in text: String) throws(ValueError) -> RateDeclaration.Limit {
    let expected = "a rate such as 10/s, 600/m or 1/5s"
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else {
      let isNumber = Int(text) != nil
      throw ValueError(
        expected: expected, detail: "the time is missing", suggestion: isNumber ? "\(text)/s" : nil)
    }
    guard let requests = try? IntegerText.value(of: parts[0]), Self.requests.contains(requests) else {
      throw ValueError(expected: expected, detail: "requests are a number from 1 to \(Self.requests.upperBound)")
    }
    // A unit alone is one of it.
    let time = parts[1].first.map { $0.isLetter && $0 != "P" } ?? false ? "1" + parts[1] : parts[1]
    let seconds: Double
    do throws(ValueError) {
      seconds = try DurationText.seconds(in: time)
    } catch {
      throw ValueError(expected: expected, detail: error.detail)
    }
    guard (0.001...86400).contains(seconds) else {
      throw ValueError(expected: expected, detail: "the time is from 1ms to 1d")
    }
    return RateDeclaration.Limit(requests: requests, seconds: seconds)
  }
}
