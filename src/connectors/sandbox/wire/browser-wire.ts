import type { BrowserInfo } from '../../door.ts';

/** Maps the buyer's browser to the provider's format. */
export const browserToWire = ({
  acceptHeader,
  userAgent,
  userDevice,
  language,
  javascriptEnabled,
  javaEnabled,
  colorDepth,
  screenHeight,
  screenWidth,
  timeZoneOffset,
}: BrowserInfo): Readonly<Record<string, string | number | boolean | null>> => ({
  accept_header: acceptHeader,
  user_agent: userAgent,
  user_device: userDevice,
  language,
  javascript_enabled: javascriptEnabled,
  java_enabled: javaEnabled,
  color_depth: colorDepth,
  screen_height: screenHeight,
  screen_width: screenWidth,
  time_zone_offset: timeZoneOffset,
});
