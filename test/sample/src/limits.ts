export const limits = {
  orders: {
    retries: 2,
    timeoutMs: 4_000,
  },
  payments: {
    retries: 2,
    timeoutMs: 9_000,
  },
  mail: {
    retries: 2,
    timeoutMs: 2_000,
  },
};
