#!/usr/bin/env bash
# One would expect: what a game's library writes as JSON is JSON, with the number that the game has, and the same text
# for the same number. (A game without a Firebase SDK calls a server over REST with such a library.)
#
# What happens:
#   - The three libraries of Lua cut whole numbers to 14 digits from 10^14 on, without an error: 123456789012345 becomes
#     1.2345678901234e+14 or, on LuaJIT from two of them, 1.2345678901235e+14. lua-cjson refuses to be set to more than 14.
#     Only dkjson writes integers of Lua 5.4 whole.
#   - An empty table is {} from lua-cjson and lua-json, [] from dkjson, and null from Luanti.
#   - A null that was read is true in a condition with lua-cjson, and a function with lua-json; with dkjson it is nil.
#   - lua-json, Godot 3 and Haxe on Neko read the escapes of an emoji, "\ud83d\ude00", as two characters that UTF-8 does not
#     have.
#   - Godot 3 writes six decimals: 0.0000004 becomes 0. Its query strings have True.
#   - Haxe on Neko writes 15 digits: 2^53 - 1 becomes one less.
#   - libGDX: the default form of Json is no JSON. A field with its initial value is left out, such as a score of 0. In a
#     map each value is wrapped in an object with its class; without the name of the class still in an object.
#   - Rust's serde_json writes an f32 of 0.1 as 0.1 in a struct, and as 0.10000000149011612 from json! and to_value; of 10^15
#     it makes another whole number.
#
# It needs Debian 12's packages (apt-get download, which installs nothing), Java 17, Maven and Cargo.
# Versions: lua-cjson 2.1.0, lua-dkjson 2.6, lua-json 1.3.4 with LuaJIT 2.1 and Lua 5.4; Luanti, then Minetest, 5.6.1; Godot
# 3.2.3; Haxe 4.2.5 on Neko 2.3.0; libGDX 1.14.0; serde_json 1.0.140. Seen on 2026-11-30.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs home rust rust/src gdx
(
  cd debs
  apt-get download --quiet luajit libluajit-5.1-2 libluajit-5.1-common lua5.4 lua-cjson lua-dkjson lua-json lua-lpeg \
    minetest-server minetest-data libleveldb1d libspatialindex6 libsnappy1v5 libpq5 libldap-2.5-0 libjsoncpp25 \
    libcurl3-gnutls godot3-server libenet7 libsquish0 libtheora0 libvpx7 libpcre2-32-0 haxe neko libneko2 libgc1 libpcre3 \
    libmbedtls14 libmbedx509-1 libmbedcrypto7 >/dev/null 2>&1
)
for package in debs/*.deb; do dpkg -x "$package" debian; done
libraries=$work/debian/usr/lib/x86_64-linux-gnu
# Programs of the packages: with their own libraries and an empty home.
run() { HOME="$work/home" LC_ALL=C.UTF-8 LD_LIBRARY_PATH="$libraries:$work/debian/lib/x86_64-linux-gnu" "$@"; }

cat >lua.lua <<'EOF'
local name, only_numbers = ...
local library = require(name)
local encode, decode = library.encode, library.decode
print("  123456789012345 and 2^53 - 1: " .. encode({123456789012345, 9007199254740991}))
if only_numbers then return end
print("  an empty table: " .. encode({ segments = {} }))
local answer = decode('{"rank":null,"name":"\\ud83d\\ude00"}')
print("  a rank that is null: " .. type(answer.rank) .. (answer.rank and ", true in a condition" or ""))
print("  an emoji in escapes has the bytes " .. answer.name:gsub(".", function(byte) return ("%02x"):format(byte:byte()) end))
EOF
for library in cjson dkjson json; do
  echo "lua-$library on LuaJIT"
  LUA_PATH="$work/debian/usr/share/lua/5.1/?.lua" LUA_CPATH="$libraries/lua/5.1/?.so" \
    run debian/usr/bin/luajit lua.lua "$library"
done >>seen.txt
LUA_CPATH="$libraries/lua/5.1/?.so" run debian/usr/bin/luajit -e \
  'print("lua-cjson set to 16 digits: " .. select(2, pcall(require("cjson").encode_number_precision, 16)))' >>seen.txt
for library in cjson dkjson; do
  echo "lua-$library on Lua 5.4"
  LUA_PATH="$work/debian/usr/share/lua/5.4/?.lua" LUA_CPATH="$libraries/lua/5.4/?.so" \
    run debian/usr/bin/lua5.4 lua.lua "$library" only_numbers
done >>seen.txt

mkdir -p games/json/mods/json world debian/usr/share/games/minetest/bin
cp debian/usr/lib/minetest/minetestserver debian/usr/share/games/minetest/bin
echo "name = json" | tee games/json/game.conf >games/json/mods/json/mod.conf
cat >games/json/mods/json/init.lua <<'EOF'
local out = io.open(core.get_worldpath() .. "/seen.txt", "w")
out:write("  an empty table: ", core.write_json({ score = 850, segments = {} }), "\n")
out:close()
core.after(0, core.request_shutdown)
EOF
MINETEST_SUBGAME_PATH="$work/games" run debian/usr/share/games/minetest/bin/minetestserver --gameid json \
  --world "$work/world" --port "${PORT:-34917}" --config /dev/null --logfile "" >log.txt 2>&1 || { cat log.txt; exit 1; }
{ echo "Luanti"; cat world/seen.txt; } >>seen.txt

cat >json.gd <<'EOF'
extends SceneTree
func _init():
	print("  12.3456789 and 0.0000004: ", to_json([12.3456789, 0.0000004]))
	print("  a query: ", HTTPClient.new().query_string_from_dict({"exact": true, "limit": parse_json("25")}))
	print("  an emoji in escapes has ", parse_json('"\\ud83d\\ude00"').length(), " characters, and unescaped ", "😀".length())
	quit()
EOF
{ echo "Godot 3"; run debian/usr/bin/godot3-server -s json.gd 2>/dev/null | grep '^  '; } >>seen.txt

cat >Main.hx <<'EOF'
class Main {
	static function main() {
		Sys.println('  2^53 - 1: ' + haxe.Json.stringify({score: 9007199254740991.0}));
		var name:String = haxe.Json.parse('"\\ud83d\\ude00"');
		Sys.println('  an emoji in escapes has the bytes ' + haxe.io.Bytes.ofString(name).toHex());
	}
}
EOF
HAXE_STD_PATH=$work/debian/usr/share/haxe/std run debian/usr/bin/haxe -main Main -neko main.n
{ echo "Haxe on Neko"; NEKOPATH="$libraries/neko" run debian/usr/bin/neko main.n; } >>seen.txt

mvn --quiet dependency:copy -Dartifact=com.badlogicgames.gdx:gdx:1.14.0 -DoutputDirectory="$work/gdx" >log.txt 2>&1 ||
  { cat log.txt; exit 1; }
cat >Scores.java <<'EOF'
import com.badlogic.gdx.utils.*;
import java.util.*;

public class Scores {
  public static class Submission {
    public double score;
    public String display_name = null;
    public HashMap<String, Object> metadata = null;
  }

  public static void main(String[] arguments) {
    Submission submission = new Submission();
    submission.score = 850;
    submission.display_name = "Ann B.";
    Json json = new Json(JsonWriter.OutputType.json);
    System.out.println("  by default: " + new Json().toJson(submission));
    System.out.println("  as OutputType.json: " + json.toJson(submission));
    submission.score = 0;
    System.out.println("  a score of 0: " + json.toJson(submission));
    Map<String, Object> map = new TreeMap<>(Map.of("score", 850.0, "level", 3));
    System.out.println("  a map: " + json.toJson(map));
    json.setTypeName(null);
    System.out.println("  without names of classes: " + json.toJson(map));
    json.setUsePrototypes(false);
    System.out.println("  without prototypes: " + json.toJson(submission));
    JsonValue value = new JsonValue(JsonValue.ValueType.object);
    value.addChild("score", new JsonValue(850));
    System.out.println("  a JsonValue: " + value.toJson(JsonWriter.OutputType.json));
  }
}
EOF
javac -cp gdx/gdx-1.14.0.jar Scores.java
{ echo "libGDX"; java -cp gdx/gdx-1.14.0.jar:. Scores; } >>seen.txt

cat >rust/Cargo.toml <<'EOF'
[package]
name = "scores"
version = "0.1.0"
edition = "2021"

[dependencies]
serde = { version = "=1.0.219", features = ["derive"] }
serde_json = "=1.0.140"
EOF
cat >rust/src/main.rs <<'EOF'
#[derive(serde::Serialize)]
struct Submission {
    score: f32,
}

fn main() {
    for score in [0.1f32, 1e15] {
        let submission = Submission { score };
        let of_value = serde_json::to_value(&submission).unwrap();
        let of_macro = serde_json::json!({ "score": score });
        println!("  {}, to_value {of_value}, json! {of_macro}", serde_json::to_string(&submission).unwrap());
    }
}
EOF
{ echo "serde_json, an f32"; cargo run --quiet --manifest-path rust/Cargo.toml; } >>seen.txt
cat seen.txt

# What was seen.
diff - seen.txt <<'EOF'
lua-cjson on LuaJIT
  123456789012345 and 2^53 - 1: [1.2345678901234e+14,9.007199254741e+15]
  an empty table: {"segments":{}}
  a rank that is null: userdata, true in a condition
  an emoji in escapes has the bytes f09f9880
lua-dkjson on LuaJIT
  123456789012345 and 2^53 - 1: [1.2345678901235e+14,9.007199254741e+15]
  an empty table: {"segments":[]}
  a rank that is null: nil
  an emoji in escapes has the bytes f09f9880
lua-json on LuaJIT
  123456789012345 and 2^53 - 1: [1.2345678901235e+14,9.007199254741e+15]
  an empty table: {"segments":{}}
  a rank that is null: function, true in a condition
  an emoji in escapes has the bytes eda0bdedb880
lua-cjson set to 16 digits: bad argument #1 to '?' (expected integer between 1 and 14)
lua-cjson on Lua 5.4
  123456789012345 and 2^53 - 1: [1.2345678901234e+14,9.007199254741e+15]
lua-dkjson on Lua 5.4
  123456789012345 and 2^53 - 1: [123456789012345,9007199254740991]
Luanti
  an empty table: {"score":850.0,"segments":null}
Godot 3
  12.3456789 and 0.0000004: [12.345679,0]
  a query: exact=True&limit=25
  an emoji in escapes has 2 characters, and unescaped 1
Haxe on Neko
  2^53 - 1: {"score":9.00719925474099e+15}
  an emoji in escapes has the bytes eda0bdedb880
libGDX
  by default: {score:850,display_name:Ann B.}
  as OutputType.json: {"score":850,"display_name":"Ann B."}
  a score of 0: {"display_name":"Ann B."}
  a map: {"level":{"class":"java.lang.Integer","value":3},"score":{"class":"java.lang.Double","value":850}}
  without names of classes: {"level":{"value":3},"score":{"value":850}}
  without prototypes: {"score":0,"display_name":"Ann B.","metadata":null}
  a JsonValue: {"score":850}
serde_json, an f32
  {"score":0.1}, to_value {"score":0.10000000149011612}, json! {"score":0.10000000149011612}
  {"score":1e15}, to_value {"score":999999986991104.0}, json! {"score":999999986991104.0}
EOF
echo "The same as when this was written."
