{
  /** Shows the form of a wallet, which is hidden until the browser offers the wallet. */
  const show = (form) => {
    form.hidden = false;
    const none = document.querySelector('[data-none]');
    if (none) none.hidden = true;
    const heading = document.querySelector('[data-or]');
    if (!heading) return;
    heading.textContent = heading.dataset.or;
    heading.className = 'or';
  };

  const google = document.querySelector('[data-google-pay]');
  if (google && 'PaymentRequest' in window) {
    const { method, details } = JSON.parse(google.dataset.googlePay);
    const request = () => new PaymentRequest([method], details);
    const token = google.elements.wallet_token;
    let isOpen = false;
    google.addEventListener('submit', async (event) => {
      if (token.value !== '') return;
      event.preventDefault();
      if (isOpen) return;
      isOpen = true;
      try {
        const response = await request().show();
        // The page shows the outcome, not the wallet.
        await response.complete('unknown');
        token.value = response.details.paymentMethodData.tokenizationData.token;
        google.requestSubmit(event.submitter);
      } catch {
        // The buyer closed the wallet, and can choose again.
      }
      isOpen = false;
    });
    const offer = async () => {
      if (await request().canMakePayment()) show(google);
    };
    // A browser that refuses the request has no such wallet.
    offer().catch(() => {});
  }

  const apple = document.querySelector('[data-apple-pay]');
  // Version 3 is in every browser since iOS 11.
  const version = 3;
  const hasApplePay = () => {
    try {
      return ApplePaySession.supportsVersion(version) && ApplePaySession.canMakePayments();
    } catch {
      // Another browser, or a page without TLS.
      return false;
    }
  };
  if (apple && hasApplePay()) {
    const failed = apple.querySelector('[data-failed]');
    // The open sheet. A late answer to a closed sheet changes nothing.
    let sheet = null;
    const close = (isFailed) => {
      sheet = null;
      failed.hidden = !isFailed;
      failed.textContent = isFailed ? failed.dataset.failed : '';
    };
    /** Sends the form with one more value. */
    const send = (name, value) => {
      const body = new URLSearchParams(new FormData(apple));
      body.set(name, value);
      return fetch(location.href, { method: 'POST', body });
    };

    /** Closes a sheet without an outcome. */
    const dismiss = (session) => {
      try {
        session.abort();
      } catch {
        // The sheet is closed already.
      }
    };

    const validate = async (session, address) => {
      try {
        const reply = await send('validation_url', address);
        if (!reply.ok) throw new Error();
        const opened = await reply.json();
        if (sheet === session) session.completeMerchantValidation(opened);
      } catch {
        if (sheet !== session) return;
        dismiss(session);
        close(true);
      }
    };

    const pay = async (session, payment) => {
      let next = location.href;
      try {
        const reply = await send('wallet_token', JSON.stringify(payment.token.paymentData));
        if (reply.status >= 500) throw new Error();
        const status = reply.headers.get('x-payment-link-status');
        const { STATUS_SUCCESS, STATUS_FAILURE } = ApplePaySession;
        // An undecided payment has not failed. The page shows its state.
        if (status === 'processing') dismiss(session);
        else session.completePayment({ status: status === 'completed' ? STATUS_SUCCESS : STATUS_FAILURE });
        if (!reply.ok) return close(true);
        next = reply.url;
      } catch {
        // The outcome is unknown here. The page shows the state of the payment.
        dismiss(session);
      }
      location.assign(next);
    };

    apple.addEventListener('submit', (event) => {
      event.preventDefault();
      if (sheet) return;
      close(false);
      try {
        const session = new ApplePaySession(version, JSON.parse(apple.dataset.applePay));
        session.onvalidatemerchant = ({ validationURL }) => validate(session, validationURL);
        session.onpaymentauthorized = ({ payment }) => pay(session, payment);
        session.oncancel = () => close(false);
        sheet = session;
        session.begin();
      } catch {
        close(true);
      }
    });
    show(apple);
  }
}
