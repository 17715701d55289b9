import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { queryAll } from '../../support/database.ts';
