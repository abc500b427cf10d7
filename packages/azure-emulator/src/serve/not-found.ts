import { refusal } from '../faults/arm-error.ts';
import { armRefusalReply } from './replies.ts';
import type { ArmReply, ArmRequest } from './route.ts';

/**
 * The answer about a resource that is not in the group of the request. @param name default the `{name}` of the
 * request's path
 */
export const resourceNotFound = ({ params }: ArmRequest, type: string, name = params['name'] ?? ''): ArmReply =>
  armRefusalReply(
    refusal(
      404,
      'ResourceNotFound',
      `The Resource '${type}/${name}' under resource group '${params['resourceGroup'] ?? ''}' was not found. For more details please go to https://aka.ms/ARMResourceNotFoundFix`,
    ),
  );
