'use strict';
{
  // Browsers copy on secure pages alone.
  for (const copy of document.querySelectorAll('[data-copy]')) {
    copy.hidden = !navigator.clipboard;
    copy.addEventListener('click', async () => {
      await navigator.clipboard.writeText(copy.dataset.copy);
      copy.textContent = copy.dataset.copied;
    });
  }
}
