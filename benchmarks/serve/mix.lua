-- What the clients ask for, by turns: pages of sites that the server has learned, and pages of sites that are new to it,
-- of which every tenth is kept as a result. Hosts are numbers, for which no name server is asked. Every answer is noted with its id, so that they can be compared with what the server's log says.

local routes = { "content", "menu", "template", "pagelets", "content", "menu", "content", "inspect", "template", "results" }
local threads = 0

function setup(thread)
   threads = threads + 1
   thread:set("number", threads)
end

function init(arguments)
   folder, known, round = arguments[1], tonumber(arguments[2]), arguments[3]
   notes = io.open(folder .. "/answers-" .. round .. "-" .. number, "w")
   asked, sent_away = 0, 0
end

function request()
   asked = asked + 1
   local route = routes[asked % #routes + 1]
   local host
   if asked % 5 == 0 then
      host = "20." .. number .. "." .. math.floor(asked / 250) % 250 .. "." .. asked % 250 + 1
   else
      host = "5.6.7." .. asked % known + 1
   end
   local body = '{"url": "http://' .. host .. "/story/" .. asked .. '"}'
   return wrk.format("POST", "/v1/" .. route, { ["Content-Type"] = "application/json" }, body)
end

-- Whoever is sent away comes again later, though sooner than asked to.
function delay()
   if sent_away > 0 then
      sent_away = sent_away - 1
      return 500
   end
   return 0
end

function response(status, headers, body)
   if status == 429 then
      sent_away = sent_away + 1
   end
   notes:write(status, " ", headers["x-request-id"] or "none", "\n")
   notes:flush()
end
