/// A page for a browser: the frame around its content, with the style sheet of all pages.
///
/// A page needs no scripts and no other files, and follows the light or dark scheme of the reader.
package struct Page {
  /// What a browser may load and send for a page of a report: nothing but the style in the page.
  package static let policy = "default-src 'none'; style-src 'unsafe-inline'"

  private let title: String
  private let policy: String
  private let style: String
  private let content: String

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - title: the title as plain text
  ///   - policy: the content security policy
  ///   - style: further rules of the style sheet
  ///   - content: the elements of the body
  package init(_ title: String, policy: String = policy, style: String = "", content: String) {
    self.title = title
    self.policy = policy
    self.style = style
    self.content = content
  }

  /// The HTML document.
  package var text: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="\(policy)">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(Markup.text(title)) – reactor</title>
    <style>
    \(PageStyle.text)\(style)</style>
    </head>
    <body>
    <div class="body">
    \(content)</div>
    </body>
    </html>

    """
  }
}
