// LocalServer: pages for the person at this machine and for nobody else.
//
// It listens on 127.0.0.1 only, at a port that the system gives, and answers only under a path that begins with a
// random token of 128 bits, which only the address that the program prints has; so other users of the machine, and
// pages of other origins, cannot use it. Requests that name another host are refused (a name that resolves to
// 127.0.0.1 is a way around the origin). One thread does everything, one request at a time. A connection that is
// silent for some seconds is closed, and there are never more than some of them: a browser that is stopped or
// vanishes holds nothing.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace gainsay::tools {

struct LocalRequest {
  bool post = false;
  std::string path;  // behind the token: "/", "/do"
  std::string body;
};
struct LocalAnswer {
  unsigned status = 200;
  std::string type = "text/html; charset=utf-8";
  std::string body;
};

class LocalServer {
 public:
  using Handler = std::function<LocalAnswer(const LocalRequest&)>;

  // Throws UserError where no port can be had. `port` 0: any.
  LocalServer(Handler handler, std::uint16_t port = 0);
  ~LocalServer();
  LocalServer(const LocalServer&) = delete;
  LocalServer& operator=(const LocalServer&) = delete;

  // http://127.0.0.1:PORT/TOKEN/
  std::string address() const;
  std::uint16_t port() const;
  const std::string& token() const;
  std::size_t connections() const;

  // Serves until the flag is raised or `stop` is called by the handler.
  void run(const std::atomic<bool>* interrupted);
  void stop();

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace gainsay::tools
