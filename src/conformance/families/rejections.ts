/** Long and hostile values in requests that are rejected: error messages quote them. */
export const rejectionProbes = [] as const;
