"""Pages from templates: every value escaped, every text visible, style and script under a nonce of their own.

Not here: what a page says (`pages`, `templates/`), and how a text is made fit to be shown (`shown`).
"""

import secrets
from importlib.resources import files
from typing import Any

import jinja2
from aiohttp import web
from markupsafe import Markup

from openassay.review.guard import POLICY, policy
from openassay.review.shown import spelt


class Renderer:
    """The templates of one server."""

    def __init__(self) -> None:
        self._templates = jinja2.Environment(
            loader=jinja2.PackageLoader("openassay.review"),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            finalize=_seen,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.globals.update(style=_asset("review.css"), script=_asset("review.js"))

    def page(self, template: str, status: int, values: dict[str, Any]) -> web.Response:
        """One page, with the policy that lets its own style and script work and nothing else."""
        nonce = secrets.token_urlsafe(16)
        text = self._templates.get_template(template).render(nonce=nonce, **values)
        return web.Response(text=text, content_type="text/html", status=status, headers={POLICY: policy(nonce)})


def _seen(value: object) -> object:
    """Any text on its way to a page, escaped after this. What a form sends back goes through `e` instead."""
    return spelt(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _asset(name: str) -> Markup:
    text = (files("openassay.review") / "templates" / name).read_text(encoding="utf-8")
    return Markup(text)  # noqa: S704 - our own file
