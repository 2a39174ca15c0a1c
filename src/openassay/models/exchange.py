"""One question to an HTTP endpoint and its answer, for the clients of both APIs.

Where the endpoint refuses one of our own fields, it is asked once more without, and so from then on. Not here: what a
body looks like (`openai_wire`, `anthropic_messages`), and retries of any other kind (the engine).
"""

from collections.abc import Callable

from openassay.models.http_call import HttpReply, JsonEndpoint
from openassay.models.http_faults import Place, from_status, refused_by_filter
from openassay.models.openai_wire import Dialect, ReadBlob, adapted
from openassay.schema.message import Finish, ModelReply, ModelRequest
from openassay.schema.models import ModelSpec
from openassay.schema.record import Json

Encode = Callable[[ModelRequest, str, dict[str, Json], ReadBlob | None, Dialect], bytes]
"""(request, model, own parameters, reader of pictures, dialect) -> body."""
Decode = Callable[[bytes, str, Place], ModelReply]
"""(body that came with HTTP 200, model asked for, place) -> reply; `EndpointError` where there is none in it."""
_OK = 200


class Exchange:
    """An endpoint, the two functions that write and read its bodies, and the dialect it was found to speak."""

    def __init__(
        self, endpoint: JsonEndpoint, spec: ModelSpec, encode: Encode, decode: Decode, read_blob: ReadBlob | None
    ) -> None:
        self._endpoint = endpoint
        self._spec = spec
        self._encode = encode
        self._decode = decode
        self._read_blob = read_blob
        self._dialect = Dialect()

    async def ask(self, request: ModelRequest) -> ModelReply:
        status, headers, body = await self._post(request)
        if status != _OK and (other := adapted(self._dialect, request, status, body)):
            self._dialect = other
            status, headers, body = await self._post(request)
        if status == _OK:
            return self._decode(body, self._spec.model, self._endpoint.place)
        if refused_by_filter(status, body):
            return ModelReply(text="", finish=Finish.CONTENT_FILTER, note="the endpoint's filter refused the prompt")
        raise from_status(status, headers, body, self._endpoint.place)

    async def _post(self, request: ModelRequest) -> HttpReply:
        spec = self._spec
        return await self._endpoint.post(
            self._encode(request, spec.model, spec.parameters, self._read_blob, self._dialect)
        )

    async def close(self) -> None:
        await self._endpoint.close()
