"""What stands around in a world, as a person in it would meet it."""

from poise.world.obstacle_query.obstacles import Obstacles

__all__ = ["Obstacles"]
