import { once } from 'node:events';
import { GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws';
import WebSocket from 'ws';

/** Opens a graphql-ws connection at a websocket address. Resolves once the service has accepted the token. */
export async function openGraphqlSocket(url: string, token: string): Promise<WebSocket> {
  const socket = new WebSocket(url, GRAPHQL_TRANSPORT_WS_PROTOCOL, { perMessageDeflate: false });
  await once(socket, 'open');
  const acknowledged = once(socket, 'message');
  socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }));
  await acknowledged;
  return socket;
}
