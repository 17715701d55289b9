import { describeFreeTexts } from './free-texts.ts';

describeFreeTexts('compiled');
describeFreeTexts('reference');
