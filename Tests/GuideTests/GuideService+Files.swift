import TestSupport

extension GuideService {
  /// A list of attachments, and their contents.
  static let files: Script = { call, memory in
    let isChanged = memory.events.last == "the photo has another version"
    switch call.path {
    case "/attachments":
      let more =
        memory.events.last == "a name has a slash"
        ? #",{"id":3,"name":"2024/plan.pdf","url":"\#(call.base)/blobs/3","version":1}"# : ""
      return .json(
        #"[{"id":1,"name":"invoice.pdf","url":"\#(call.base)/blobs/1","version":1},"#
          + #"{"id":2,"name":"photo.png","url":"/blobs/2","version":\#(isChanged ? 2 : 1)}\#(more)]"#)
    case "/blobs/1", "/blobs/3": return Reply(fields: [("Content-Type", "application/pdf")], body: "%PDF-1.7\n...")
    case "/blobs/2":
      return Reply(
        fields: [("Content-Type", "image/png")],
        bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, isChanged ? 1 : 0])
    case "/blobs/manual":
      return Reply(fields: [("Content-Type", "text/html; charset=utf-8")], body: "<html>Log in</html>")
    default: return .notFound
    }
  }
}
