"""Couplings of kinematic limbs other than the cut, played beside the world (van Welbergen 2009, Sec. 2).

The wrench is worked out anew at every substep, so a `Coupler` is one of the world's `before_substep` hooks. Working with the
connector's acceleration of the substep before is a fixed-point iteration, q̈ ← M_P⁻¹ (f − k M_K q̈), with M_P the mass matrix of
the physical part and M_K what the limbs add to it: it explodes where an eigenvalue of k M_P⁻¹ M_K reaches 1. That is refused.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.hybrid.coupling import Coupling, CouplingOptions, kinematic_roots
from poise.hybrid.reaction import Connector, Limb, LimbMotion, Reaction, Wrench, reaction
from poise.world.weightless_limbs import AttachedLimb, ConnectorMotion, WeightlessLimbs
from poise.world.world import World

__all__ = ["Coupler"]

Array = NDArray[np.float64]

_BETWEEN_CHECKS = 0.02
"""A moving limb's leverage changes: how often stability is looked at again [s]."""


class Coupler:
    """Couples one character's kinematic limbs to its physical part at every substep.

        coupler = Coupler(world, "conductor", CouplingOptions(mode=Coupling.LAGGED, k=0.6))
        world.before_substep.append(coupler)

    The modes of the joints must be set before it is made; after any change of them or of the state from outside call `refresh`.

    Args:
        world: The world; masses of the character's limbs are rewritten.
        character: Whose limbs.
        options: How.

    Raises:
        InputError: The mode is `EXACT`, which needs no coupler; a physical body hangs on a kinematic limb; or the lagged
            iteration is unstable, now or later in a pose where the limbs have more leverage.
    """

    def __init__(self, world: World, character: str, options: CouplingOptions) -> None:
        if options.mode is Coupling.EXACT:
            raise InputError("the exact coupling is the cut itself and needs no coupler")
        self.options = options
        self.reactions: dict[str, Reaction] = {}
        """By the limb's first body, what the last substep's motion asked of its joints."""
        self._world, self._layout = world, world.layout(character)
        self._attached = WeightlessLimbs(world, character)
        self.refresh()

    def refresh(self) -> None:
        """Take note of who moves each joint now: limbs that are kinematic lose their mass, all others have theirs."""
        plan = self._layout.plan
        roots = kinematic_roots(plan, self._world.cut.modes[self._layout.joints])
        self._attached.attach(roots)
        self._limbs = [Limb.from_plan(plan, root) for root in roots]
        self._names = [plan.names[root] for root in roots]
        self._before: list[ConnectorMotion | None] = [None] * len(roots)
        self.reactions.clear()
        if self.options.mode in (Coupling.LAGGED, Coupling.TORQUE_ONLY):
            self.check()
        self._attached.lighten()

    def close(self) -> None:
        """Give the limbs their mass back and do nothing from now on."""
        self._attached.attach([])
        self._limbs = []

    def check(self) -> None:
        """Raise `InputError` where the lagged iteration would be unstable in the present pose."""
        self._until_check = round(_BETWEEN_CHECKS / self._attached.timestep)
        if not self.options.check:
            return
        gain, joint = self._attached.gain()
        share = self.options.k * gain
        if share >= 1.0:
            raise InputError(
                f"the {str(self.options.mode)!r} coupling would be unstable at {joint!r}: with k = {self.options.k:g} the "
                f"limbs weigh {share:.3g} times what carries them there, and it must be less than 1; "
                f"take k = {0.95 / gain:.2g} or less, or the coupling 'exact' or 'composite'"
            )

    def __call__(self, target: Array) -> None:
        """Add the limbs' reactions to the applied forces of the substep that ends at the world's positions `target` (nq,)."""
        if self.options.mode is Coupling.NONE or not self._limbs:
            return
        self._attached.look()
        if self.options.mode is Coupling.COMPOSITE:
            self._attached.carry()
        else:
            if self._until_check == 0:
                self.check()
                self._attached.lighten()
            self._until_check -= 1
        for index, each in enumerate(self._attached.limbs):
            wrench = self._wrench(index, each, target)
            self._attached.push(each, wrench.force, wrench.torque)

    def _wrench(self, index: int, each: AttachedLimb, target: Array) -> Wrench:
        now, options, limb = self._attached.connector_motion(each), self.options, self._limbs[index]
        table = self._attached.joint_motion(each, target)
        if options.mode is Coupling.COMPOSITE:
            connector = Connector(now.rotation, now.spin)
            moving = reaction(limb, connector, LimbMotion(table), np.zeros(3))
            self.reactions[self._names[index]] = moving
            table = table.copy()
            table[:, 4:] = 0.0
            frozen = reaction(limb, connector, LimbMotion(table), np.zeros(3)).dynamic
            force, torque = moving.dynamic.force - frozen.force, moving.dynamic.torque - frozen.torque
            return Wrench(options.k * force, options.k * torque)
        before, h = self._before[index] or now, self._attached.timestep
        self._before[index] = now
        # Components in the connector's own frame are differenced for the spin (its Eq. 19 would correct them twice).
        connector = Connector(
            now.rotation, now.spin, (now.spin - before.spin) / h, (now.velocity - before.velocity) / h
        )
        answer = self.reactions[self._names[index]] = reaction(
            limb, connector, LimbMotion(table), self._attached.gravity
        )
        wrench = answer.wrench(options.k, options.form)
        return wrench if options.mode is Coupling.LAGGED else wrench._replace(force=np.zeros(3))
