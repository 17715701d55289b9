import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import {
  assignWork,
  BACKGROUND,
  ownerOfWork,
  PUBLIC,
  workFor,
} from '../../../src/platform/fairness/owner.ts';

describe('the owner of work', () => {
  it('is the background without a request', () => {
    assignWork('a');

    expect(ownerOfWork()).toBe(BACKGROUND);
  });

  it('stays with all that the work starts', async () => {
    const owners = await Promise.all(
      ['a', 'b'].map((owner) =>
        workFor(owner, async () => {
          await delay(1);
          return ownerOfWork();
        }),
      ),
    );

    expect(owners).toEqual(['a', 'b']);
  });

  it('becomes the account that a token led to', async () => {
    const owner = await workFor(PUBLIC, async () => {
      await delay(1);
      assignWork('a');
      await delay(1);
      return ownerOfWork();
    });

    expect(owner).toBe('a');
  });

  it('stays the account that was known before', () => {
    expect(
      workFor('a', () => {
        assignWork('b');
        return ownerOfWork();
      }),
    ).toBe('a');
  });
});
