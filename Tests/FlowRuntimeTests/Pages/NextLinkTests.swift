import ReactorCore
import Testing
import WebSyntax

@testable import FlowRuntime

/// Most links are taken as they are written; whether one may be is the URL standard's to say.
@Suite struct NextLinkTests {
  private static let pages = [
    "http://h/items?page=1", "http://h:8080/items", "https://api.example.com/v2/a/b?x=1", "http://h:80/items",
    "https://h:443/a", "http://[::1]:9/items", "http://127.0.0.1:1/",
  ]
  private static let tails = [
    "/items?page=2", "/", "", "?page=2", "/a/../b", "/a/./b", "/.", "/..", "/a/.b", "//x", "/a%2e/b", "/%2E%2e/b",
    "/a b", "/a\\b", "/x#f", "/x?y#f", "/é", "/x?q=é", "/x?a='b'", "/x?a=\"b\"", "/a;b=1", "/x?cursor=Zm9v+/=&n=3",
    "/x?u=http://z/", "/a:b@c", "/x?a|b", "/x?{y}", "/~u/-_.,x", "/x?a=%zz",
  ]

  @Test(arguments: pages) func `a link leads where the URL standard says`(_ page: String) throws {
    let here = try WebURL(page)
    let start = String(page.split(separator: "/")[1])
    let scheme = page.prefix { $0 != ":" }
    for host in [start, start.uppercased(), "u@\(start)", "u:p@\(start)", "other", "\(start)x", "\(start):1"] {
      for tail in Self.tails {
        let link = "\(scheme)://\(host)\(tail)"
        let headers = Headers([.init("Link", "<\(link)>; rel=next")])
        let found = try? NextLink.target(of: "next", in: headers, from: page)
        let closely = try? NextLink.resolving(link, from: page)
        let there = try? WebURL(link, relativeTo: here)
        let allowed = there.flatMap { $0.origin == here.origin && !$0.hasCredentials ? $0.requested : nil }
        // A target in '<>' cannot hold '>'; none of these does.
        #expect(found == allowed && closely == allowed, "\(link) on \(page)")
      }
    }
  }
}
