import type { Refusal } from './settlement-refusals.ts';
import { NOW } from './constraint-rows.ts';
import { RETRY_PLAN_REFUSALS } from './retry-plan-refusals.ts';

const ENDED = { filter: null, ended_at: NOW };

const SIMULATION = 'routing_simulation';

/** Exports, their chunks, simulations of routing rules and plans of later tries that the database refuses, each with the constraint. */
export const JOB_REFUSALS: readonly Refusal[] = [
  ...RETRY_PLAN_REFUSALS,
  ['an export of unknown records', 'export', { type: 'buyers' }, 'export_type_check'],
  ['an export in an unknown form', 'export', { format: 'xml' }, 'export_format_check'],
  ['an export in an unknown state', 'export', { ...ENDED, status: 'odd' }, 'export_status_check'],
  ['an export of less than nothing', 'export', { rows_written: -1 }, 'export_progress_check'],
  ['a failed export without a reason', 'export', { ...ENDED, status: 'failed' }, 'export_failure_check'],
  [
    'an export that failed for an unknown reason',
    'export',
    { ...ENDED, status: 'failed', failure_reason: 'odd' },
    'export_failure_check',
  ],
  ['an unfinished export with an end', 'export', { ended_at: NOW }, 'export_end_check'],
  [
    'an export that keeps its conditions after its end',
    'export',
    { status: 'succeeded', ended_at: NOW, expires_at: NOW },
    'export_end_check',
  ],
  ['a file for ever', 'export', { ...ENDED, status: 'succeeded' }, 'export_end_check'],
  ['a chunk before the first', 'export_chunk', { number: 0 }, 'export_chunk_number_check'],
  ['an empty chunk', 'export_chunk', { content: Buffer.alloc(0) }, 'export_chunk_content_check'],
  [
    'a chunk above one MiB',
    'export_chunk',
    { content: Buffer.alloc(1_048_577) },
    'export_chunk_content_check',
  ],
  ['a simulation of an empty period', SIMULATION, { from_at: NOW }, 'routing_simulation_range_check'],
  ['a simulation of no payment', SIMULATION, { sample: 0 }, 'routing_simulation_range_check'],
  ['a simulation of too many payments', SIMULATION, { sample: 101 }, 'routing_simulation_range_check'],
  [
    'a simulation in an unknown state',
    SIMULATION,
    { status: 'odd', ended_at: NOW },
    'routing_simulation_status_check',
  ],
  ['a simulation of less than nothing', SIMULATION, { scanned: -1 }, 'routing_simulation_progress_check'],
  ['a simulation at half a place', SIMULATION, { place_at: NOW }, 'routing_simulation_progress_check'],
  ['an unfinished simulation with an end', SIMULATION, { ended_at: NOW }, 'routing_simulation_end_check'],
  [
    'a simulation that keeps its counts after its end',
    SIMULATION,
    { status: 'failed', ended_at: NOW, tally: '{}' },
    'routing_simulation_end_check',
  ],
  [
    'a simulation that succeeded without an answer',
    SIMULATION,
    { status: 'succeeded', ended_at: NOW },
    'routing_simulation_end_check',
  ],
];
