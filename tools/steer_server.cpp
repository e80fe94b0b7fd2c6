#include "tools/steer_server.hpp"

#include <array>
#include <chrono>
#include <list>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <fmt/format.h>
#include <sys/random.h>

#include "gainsay/base/check.hpp"

namespace gainsay::tools {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using tcp = asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t connections_max = 32;
constexpr std::size_t body_bytes_max = 1U << 20U;
constexpr std::chrono::seconds silence_max{10};

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw UserError("the system provides no random numbers to protect the page with; use --terminal");
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

// How long it takes says nothing of where the two differ.
bool same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return difference == 0;
}

}  // namespace

struct LocalServer::Inside {
  class Connection;

  asio::io_context context{1};
  tcp::acceptor acceptor{context};
  asio::steady_timer clock{context};
  Handler handler;
  std::string token;
  std::size_t open = 0;
  bool stopped = false;

  void accept();
  void watch(const std::atomic<bool>* interrupted);
  http::response<http::string_body> answer(const http::request<http::string_body>& request);
};

// Lives as long as something is to be read or written.
class LocalServer::Inside::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Inside& inside, tcp::socket socket) : inside_(inside), stream_(std::move(socket)) {
    ++inside_.open;
  }
  ~Connection() { --inside_.open; }

  void read() {
    parser_.emplace();
    parser_->body_limit(body_bytes_max);
    stream_.expires_after(silence_max);
    http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](error_code error, std::size_t) {
      if (!error) self->write();
    });
  }

 private:
  void write() {
    response_ = inside_.answer(parser_->get());
    stream_.expires_after(silence_max);
    http::async_write(stream_, response_, [self = shared_from_this()](error_code error, std::size_t) {
      if (!error && !self->response_.need_eof() && !self->inside_.stopped) self->read();
    });
  }

  Inside& inside_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  http::response<http::string_body> response_;
};

void LocalServer::Inside::accept() {
  acceptor.async_accept([this](error_code error, tcp::socket socket) {
    if (error == asio::error::operation_aborted) return;
    if (!error && open < connections_max) std::make_shared<Connection>(*this, std::move(socket))->read();
    accept();
  });
}

void LocalServer::Inside::watch(const std::atomic<bool>* interrupted) {
  clock.expires_after(std::chrono::milliseconds(100));
  clock.async_wait([this, interrupted](error_code) {
    if (stopped || (interrupted != nullptr && interrupted->load())) {
      context.stop();
      return;
    }
    watch(interrupted);
  });
}

http::response<http::string_body> LocalServer::Inside::answer(
    const http::request<http::string_body>& request) {
  http::response<http::string_body> response;
  response.version(request.version());
  response.keep_alive(request.keep_alive());
  response.set(http::field::cache_control, "no-store");
  response.set("Referrer-Policy", "no-referrer");  // the address has the token in it
  response.set(http::field::x_frame_options, "DENY");
  response.set("X-Content-Type-Options", "nosniff");
  const auto refuse = [&](http::status status, const char* why) {
    response.result(status);
    response.set(http::field::content_type, "text/plain");
    response.body() = why;
    response.prepare_payload();
    return response;
  };
  const std::uint16_t port = acceptor.local_endpoint().port();
  const std::string host(request[http::field::host]);
  if (host != fmt::format("127.0.0.1:{}", port) && host != fmt::format("localhost:{}", port))
    return refuse(http::status::forbidden, "this server only answers on 127.0.0.1\n");
  const std::string target(request.target());
  if (target.size() < token.size() + 2 || target.front() != '/' ||
      !same_secret(std::string_view(target).substr(1, token.size()), token) ||
      target[token.size() + 1] != '/')
    return refuse(http::status::forbidden, "use the address that gainsay printed; it contains a token\n");
  const bool post = request.method() == http::verb::post;
  if (!post && request.method() != http::verb::get)
    return refuse(http::status::method_not_allowed, "GET or POST\n");
  if (post && !request[http::field::content_type].starts_with("application/json"))
    return refuse(http::status::unsupported_media_type, "expected JSON\n");
  const LocalAnswer answer = handler({post, target.substr(token.size() + 1), request.body()});
  response.result(answer.status);
  response.set(http::field::content_type, answer.type);
  response.body() = answer.body;
  response.prepare_payload();
  return response;
}

LocalServer::LocalServer(Handler handler, std::uint16_t port) : inside_(std::make_unique<Inside>()) {
  inside_->handler = std::move(handler);
  inside_->token = random_token();
  const tcp::endpoint here(asio::ip::address_v4::loopback(), port);
  error_code error;
  inside_->acceptor.open(here.protocol(), error);
  if (!error) inside_->acceptor.bind(here, error);
  if (!error) inside_->acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) throw UserError(fmt::format("cannot listen on 127.0.0.1:{}: {}", port, error.message()));
  inside_->accept();
}

LocalServer::~LocalServer() = default;

std::uint16_t LocalServer::port() const { return inside_->acceptor.local_endpoint().port(); }
const std::string& LocalServer::token() const { return inside_->token; }
std::size_t LocalServer::connections() const { return inside_->open; }
std::string LocalServer::address() const {
  return fmt::format("http://127.0.0.1:{}/{}/", port(), inside_->token);
}

void LocalServer::run(const std::atomic<bool>* interrupted) {
  inside_->watch(interrupted);
  inside_->context.run();
}

void LocalServer::stop() { inside_->stopped = true; }

}  // namespace gainsay::tools
