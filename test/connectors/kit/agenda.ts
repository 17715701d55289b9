/** A clock, with the work that is planned for later. */
export type Timed = {
  readonly now: () => Date;
  readonly agenda: { readonly atMs: number; readonly run: () => void }[];
};

/** Plans work for later. The work happens before the next call after that time. */
export function later({ now, agenda }: Timed, delayMs: number, run: () => void): void {
  agenda.push({ atMs: now().getTime() + delayMs, run });
}

/** Does the planned work whose time has come, in its order. */
export function passTime({ now, agenda }: Timed): void {
  for (;;) {
    const due = agenda.filter(({ atMs }) => atMs <= now().getTime()).toSorted((a, b) => a.atMs - b.atMs)[0];
    if (!due) return;
    agenda.splice(agenda.indexOf(due), 1);
    due.run();
  }
}
