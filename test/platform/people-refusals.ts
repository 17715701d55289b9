import { randomUUID } from 'node:crypto';
import { NOW } from './constraint-rows.ts';
import type { Refusal } from './settlement-refusals.ts';

/** People and sessions of the dashboard that the database refuses, each with the constraint. */
export const PEOPLE_REFUSALS: readonly Refusal[] = [
  ['a session of an unknown role', 'dashboard_session', { role: 'root' }, 'dashboard_session_role_check'],
  [
    'a session of an unknown way',
    'dashboard_session',
    { signed_in_with: 'luck', person_id: randomUUID() },
    'dashboard_session_signed_in_with_check',
  ],
  [
    'a session of a password without a person',
    'dashboard_session',
    { signed_in_with: 'password' },
    'dashboard_session_person_check',
  ],
  ['a person of an unknown role', 'dashboard_person', { role: 'root' }, 'dashboard_person_role_check'],
  ['a person in an unknown state', 'dashboard_person', { state: 'gone' }, 'dashboard_person_state_check'],
  [
    'an active person with an invitation',
    'dashboard_person',
    { invitation_digest: 'x', invitation_expires_at: NOW },
    'dashboard_person_invitation_check',
  ],
  [
    'an invitation without an end',
    'dashboard_person',
    { state: 'invited', invitation_digest: 'x' },
    'dashboard_person_invitation_check',
  ],
  [
    'a password without one-time codes',
    'dashboard_person',
    { password_hash: 'x' },
    'dashboard_person_password_check',
  ],
  [
    'a challenge of an unknown purpose',
    'dashboard_challenge',
    { purpose: 'fun' },
    'dashboard_challenge_purpose_check',
  ],
];
