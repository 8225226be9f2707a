"""The description of the API at /docs: a page without scripts, made from the OpenAPI description."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from fastapi import APIRouter, Request, Response

from mem0g.serve.webpage import HEADERS, KINDS

router = APIRouter(include_in_schema=False)

Schema = Mapping[str, Any]
"""A JSON schema, or another part of an OpenAPI description."""

_HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>mem0g: the API</title>
<link rel="stylesheet" href="/page/description.css">
</head>
<body>
"""

_LIMITS: Mapping[str, str] = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "maxLength": "at most {} characters",
}
"""How a limit of a schema is written."""


@router.api_route("/docs", methods=["GET", "HEAD"])
def description(request: Request) -> Response:
    """Return the page."""
    page = "\n".join(_page(request.app.openapi()))
    return Response(_HEAD + page, media_type=KINDS[".html"], headers=dict(HEADERS))


def _page(api: Schema) -> Iterator[str]:
    operations = [
        (method.upper(), path, operation)
        for path, methods in api["paths"].items()
        for method, operation in methods.items()
    ]
    schemas: Schema = api.get("components", {}).get("schemas", {})
    yield f"<h1>{escape(api['info']['title'])} {escape(api['info']['version'])}</h1>"
    yield '<p>The same for programs: <a href="/openapi.json">/openapi.json</a></p>\n<nav><ul>'
    for method, path, operation in operations:
        yield f'<li><a href="#{escape(operation["operationId"])}">{method} <code>{escape(path)}</code></a></li>'
    yield "</ul></nav>"
    for method, path, operation in operations:
        yield f'<section id="{escape(operation["operationId"])}">\n<h2>{method} <code>{escape(path)}</code></h2>'
        yield from _operation(operation, schemas)
        yield "</section>"
    yield "<h1>Parts of bodies</h1>"
    for name, schema in schemas.items():
        yield f'<section id="{escape(name)}">\n<h2>{escape(name)}</h2>\n{_prose(schema)}'
        yield from _table(_properties(schema))
        yield "</section>"
    yield "</body>\n</html>"


def _operation(operation: Schema, schemas: Schema) -> Iterator[str]:
    yield _prose(operation)
    parameters = operation.get("parameters", [])
    yield from _table((each["name"], each["in"], each.get("required", False), each) for each in parameters)
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        schema = content["schema"]
        yield f"<p>Body, {escape(kind)}: {_type(schema)}</p>"
        yield from _table(_properties(schemas.get(str(schema.get("$ref", "")).rpartition("/")[2], schema)))
    yield f"<p>Status: {', '.join(map(escape, operation['responses']))}</p>"


def _properties(schema: Schema) -> Iterator[tuple[str, str, bool, Schema]]:
    for name, each in schema.get("properties", {}).items():
        yield name, "body", name in schema.get("required", ()), {**each, "schema": each}


def _table(rows: Iterator[tuple[str, str, bool, Schema]]) -> Iterator[str]:
    """Yield a table of parameters: each with its name, place, whether it is required, and what describes it."""
    found = list(rows)
    if not found:
        return
    yield "<table>\n<tr><th>name</th><th>in</th><th>type</th><th></th></tr>"
    for name, place, required, told in found:
        named = f"<code>{escape(name)}</code>{' (required)' if required else ''}"
        cells = (named, escape(place), _type(told["schema"]), _with_code(told.get("description", "")))
        yield f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
    yield "</table>"


def _type(schema: Schema) -> str:
    """Return the type of a schema as HTML, with its limits and its default; a named one is a link."""
    if "$ref" in schema:
        name = escape(str(schema["$ref"]).rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    if "anyOf" in schema:
        kinds = " or ".join(_type(each) for each in schema["anyOf"] if each.get("type") != "null")
    elif "enum" in schema:
        kinds = " or ".join(f"<code>{escape(str(each))}</code>" for each in schema["enum"])
    elif schema.get("type") == "array":
        kinds = f"list of {_type(schema.get('items', {}))}"
    else:
        kinds = escape(str(schema.get("type", "anything")))
    limits = [text.format(schema[name]) for name, text in _LIMITS.items() if name in schema]
    limits += [f"default {schema['default']}"] if schema.get("default") not in (None, [], {}) else []
    return ", ".join([kinds, *map(escape, limits)])


def _prose(told: Schema) -> str:
    """Return the description as paragraphs; words in backquotes are code."""
    parts = str(told.get("description", "")).replace("``", "`").split("\n\n")
    return "\n".join(f"<p>{_with_code(part)}</p>" for part in parts if part)


def _with_code(text: str) -> str:
    pieces = [escape(piece) for piece in text.split("`")]
    return "".join(f"<code>{piece}</code>" if place % 2 else piece for place, piece in enumerate(pieces))
