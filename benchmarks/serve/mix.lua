-- The requests of the clients: pages of learned sites and of new ones; every tenth is stored as a result. Hosts are IP addresses, so
-- that no name server is used. Every response is noted with its request id, to compare them with the server's log.

local routes = { "content", "menu", "template", "pagelets", "content", "menu", "content", "inspect", "template", "results" }
local threads = 0

function setup(thread)
   threads = threads + 1
   thread:set("number", threads)
end

function init(arguments)
   folder, known, round = arguments[1], tonumber(arguments[2]), arguments[3]
   notes = io.open(folder .. "/answers-" .. round .. "-" .. number, "w")
   count, rejected = 0, 0
end

function request()
   count = count + 1
   local route = routes[count % #routes + 1]
   local host
   if count % 5 == 0 then
      host = "20." .. number .. "." .. math.floor(count / 250) % 250 .. "." .. count % 250 + 1
   else
      host = "5.6.7." .. count % known + 1
   end
   local body = '{"url": "http://' .. host .. "/story/" .. count .. '"}'
   return wrk.format("POST", "/v1/" .. route, { ["Content-Type"] = "application/json" }, body)
end

-- Clients retry after a 429, though sooner than Retry-After says.
function delay()
   if rejected > 0 then
      rejected = rejected - 1
      return 500
   end
   return 0
end

function response(status, headers, body)
   if status == 429 then
      rejected = rejected + 1
   end
   notes:write(status, " ", headers["x-request-id"] or "none", "\n")
   notes:flush()
end
