/** The headers of an answer to every origin. A token authorises the request, not the browser's cookies. */
export const ANY_ORIGIN = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

/** The headers that allow a browser to post from every origin. */
export const PREFLIGHT = {
  ...ANY_ORIGIN,
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '86400',
};
