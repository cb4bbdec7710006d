import Testing
import TimeSyntax

@Suite struct HTTPDateTests {
  private static let now = 1_700_000_000  // 2023-11-14T22:13:20Z

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
    ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Tue Nov 15 08:12:31 1994", 784_887_151),
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000),
    ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
    ("Saturday, 31-Dec-16 23:59:60 GMT", 1_483_228_800), ("Sun, 6 nov 1994 08:49:37 GMT", 784_111_777),
    ("Friday, 01-Jan-73 00:00:00 GMT", 3_250_454_400), ("Monday, 01-Jan-74 00:00:00 GMT", 126_230_400),
  ]) func `each form is read`(text: String, seconds: Int) {
    #expect(HTTPDate.seconds(text, now: Self.now) == Int64(seconds))
  }

  @Test(arguments: [
    "", "0", "Sun", "Sun,", "Sun, 06 Nov 1994", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
    "Sun, 06 Nov 1994 08:49:37 GMT+1", "Sun, 31 Nov 1994 08:49:37 GMT",
    "Wed, 29 Feb 2023 00:00:00 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
    "Sun, 06 Nov 1994 08:60:00 GMT", "Xun, 06 Nov 1994 08:49:37 GMT",
    "Sun Nov  6 08:49:37 1994 GMT", "1994-11-06T08:49:37Z", "Sunday, 06-Nov-1994 08:49:37 GMT",
  ]) func `what is no date is none`(text: String) {
    #expect(HTTPDate.seconds(text, now: Self.now) == nil)
  }
}
