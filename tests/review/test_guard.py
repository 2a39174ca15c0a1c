"""Who gets in: nobody without the printed address, no other site, no other name; and what a browser is told."""

import re
import socket

import pytest

from openassay.review.guard import HEADERS

PATHS = ["/", "/rater", "/end", "/item/x", "/item/x/output.txt", "/nothing"]


@pytest.fixture
async def stranger(judged_run, served):
    return await served(await judged_run(), enter=False)


@pytest.mark.parametrize("path", PATHS)
async def test_without_the_token_nothing_is_told(stranger, path):
    response, page = await stranger.get(path)
    assert response.status == 403
    assert "Letters of our office" not in page
    assert "12 May" not in page


async def test_a_wrong_token_opens_nothing(stranger):
    response, page = await stranger.get("/?token=" + "x" * 32)
    assert (response.status, "printed last" in page) == (403, True)


async def test_the_printed_address_lets_in_and_leaves_the_address_bar(stranger):
    response, page = await stranger.get("/?token=" + "t" * 32)
    assert (response.status, response.url.query_string) == (200, "")
    assert "Who decides?" in page
    (cookie,) = response.history[0].headers.getall("Set-Cookie")
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "0.0.0.0:{port}"])
async def test_another_host_name_is_refused(visitor, host):
    port = visitor.root.rpartition(":")[2]
    response, page = await visitor.get("/", headers={"Host": host.format(port=port)})
    assert response.status == 403
    assert "Letters" not in page


async def test_it_listens_on_loopback_alone(visitor):
    port = int(visitor.root.rpartition(":")[2])
    with socket.socket() as taken:
        taken.bind(("127.0.0.2", port))  # free: the page does not listen on all addresses


FORGED = {
    "no form token": ({"form": ""}, {}),
    "another form token": ({"form": "0" * 64}, {}),
    "another origin": ({}, {"Origin": "http://evil.example"}),
    "no origin to tell": ({}, {"Origin": "null"}),
    "another site": ({}, {"Sec-Fetch-Site": "cross-site"}),
    "another port of this machine": ({}, {"Sec-Fetch-Site": "same-site"}),
}


@pytest.mark.parametrize("path", ["/decide", "/undo", "/rater"])
@pytest.mark.parametrize(("fields", "headers"), FORGED.values(), ids=FORGED)
async def test_a_forged_form_does_nothing(visitor, path, fields, headers):
    response, _ = await visitor.post(path, visitor.form(**fields), headers=headers)
    assert response.status == 403
    assert len(visitor.desk.reviews) == 0


async def test_a_form_of_our_own_does(visitor):
    headers = {"Origin": visitor.root, "Sec-Fetch-Site": "same-origin"}
    response, _ = await visitor.post("/decide", visitor.form(), headers=headers)
    assert response.status == 200
    assert len(visitor.desk.reviews) == 1


@pytest.mark.parametrize("path", ["/", "/item/{item}", "/item/{item}/output.txt", "/end", "/nothing"])
async def test_every_response_carries_the_headers(visitor, path):
    response, page = await visitor.get(path.format(item=visitor.desk.queue.items[0].id))
    assert {name: response.headers[name] for name in HEADERS} == HEADERS
    policy = response.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    nonces = set(re.findall(r"'nonce-([\w-]+)'", policy))
    assert nonces == set(re.findall(r'nonce="([\w-]+)"', page))


async def test_every_page_has_another_nonce(visitor):
    policies = [(await visitor.get("/"))[0].headers["Content-Security-Policy"] for _ in range(3)]
    assert len(set(policies)) == 3


async def test_a_huge_form_is_refused(visitor):
    response, _ = await visitor.post("/decide", visitor.form(note="x" * 200_000))
    assert response.status == 413
    assert len(visitor.desk.reviews) == 0
