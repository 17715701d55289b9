/** Returns true for a day of the calendar as text, such as `2026-01-31`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const start = startOf(text);
  return !Number.isNaN(start.getTime()) && start.toISOString().startsWith(text);
}

/** Returns the start of a day in UTC. */
export const startOf = (day: string): Date => new Date(`${day}T00:00:00Z`);
