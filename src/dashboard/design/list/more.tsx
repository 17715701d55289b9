import type { Pages } from '../../app/data/pages.ts';
import { texts } from '../../texts/texts.ts';
import { Button } from '../button.tsx';

/** The button that adds a page to a list. Nothing at the end of the list. */
export function More({ list: { data, isLoading, more } }: { readonly list: Pages<unknown> }) {
  if (!data?.hasMore) return null;
  return (
    <div className="list-more">
      <Button onPress={more} isDisabled={isLoading}>
        {texts.action.more}
      </Button>
    </div>
  );
}
