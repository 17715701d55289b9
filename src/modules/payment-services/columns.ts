import { lineAndWhole } from '../../platform/database/column-set.ts';
import type { PaymentService } from './model/payment-service.ts';

/**
 * The columns of a payment service that name the service. Lists of payments show them, so their look-up is hot. A whole service
 * is made from its row, because some of its fields are made from others.
 */
export const { line: SERVICE_LINE } = lineAndWhole<PaymentService>(
  {
    id: 'line',
    merchantAccountId: 'line',
    paymentServiceDefinitionId: 'line',
    method: 'line',
    displayName: 'line',
    position: 'line',
    active: 'line',
    status: 'line',
    isDeleted: 'line',
    createdAt: 'line',
    updatedAt: 'line',
    type: 'whole',
    acceptedCurrencies: 'whole',
    acceptedCountries: 'whole',
    merchantProfile: 'whole',
    threeDSecureFallback: 'whole',
    webhookUrl: 'whole',
    fields: 'whole',
    reportingFields: 'whole',
    statusReason: 'whole',
    statusCheckedAt: 'whole',
    paymentMethodTokenizationEnabled: 'whole',
    networkTokensEnabled: 'whole',
    openLoop: 'whole',
    settlementReportingEnabled: 'whole',
    threeDSecureEnabled: 'whole',
  },
  {
    paymentServiceDefinitionId: (s) => `${s}.definition_id`,
    isDeleted: (s) => `${s}.deleted_at IS NOT NULL`,
  },
);
