import type { TransportResponse } from '../transport/transport.ts';

/**
 * True when a precondition on the uid failed: the object that was meant is gone, another one has its name. Source:
 * `BeforeDelete` of `k8s.io/apiserver/pkg/registry/rest/delete.go` says "in the precondition", `Preconditions.Check` of
 * `storage/interfaces.go`, which is checked later, "in precondition".
 */
export const isOtherObject = ({ status, body }: TransportResponse): boolean =>
  status === 409 && /UID in (the )?precondition/.test(JSON.stringify(body));
