import { describeFreeTexts } from './free-texts.ts';

describeFreeTexts('reference');
