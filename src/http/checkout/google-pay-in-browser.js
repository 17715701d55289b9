{
  const form = document.querySelector('[data-google-pay]');
  if (form && 'PaymentRequest' in window) {
    const { method, details } = JSON.parse(form.dataset.googlePay);
    const request = () => new PaymentRequest([method], details);
    const token = form.elements.wallet_token;
    let isOpen = false;
    form.addEventListener('submit', async (event) => {
      if (token.value !== '') return;
      event.preventDefault();
      if (isOpen) return;
      isOpen = true;
      try {
        const response = await request().show();
        // The page shows the outcome, not the wallet.
        await response.complete('unknown');
        token.value = response.details.paymentMethodData.tokenizationData.token;
        form.requestSubmit(event.submitter);
      } catch {
        // The buyer closed the wallet, and can choose again.
      }
      isOpen = false;
    });
    const offer = async () => {
      if (!(await request().canMakePayment())) return;
      form.hidden = false;
      const none = document.querySelector('[data-none]');
      if (none) none.hidden = true;
      const heading = document.querySelector('[data-or]');
      if (!heading) return;
      heading.textContent = heading.dataset.or;
      heading.className = 'or';
    };
    // A browser that refuses the request has no such wallet.
    offer().catch(() => {});
  }
}
