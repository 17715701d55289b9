/** The moment at which an exchange ends, whatever the exchange waits for. */
export type Deadline = {
  isOver(): boolean;
  /** Sets what ends the present wait. The deadline calls the last one only, and calls it at once if over. */
  onOver(cut: () => void): void;
  /** Ends the deadline early. */
  clear(): void;
};

/** Starts one timer. Time-outs of a socket watch idle sockets, and a dripping peer is never idle. */
export function startDeadline(deadlineMs: number): Deadline {
  let over = false;
  let cutWait = (): void => undefined;
  const timer = setTimeout(() => {
    over = true;
    cutWait();
  }, deadlineMs);
  return {
    isOver: () => over,
    onOver: (cut) => {
      cutWait = cut;
      if (over) cut();
    },
    clear: () => clearTimeout(timer),
  };
}
