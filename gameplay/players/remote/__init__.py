"""Programs that are no players in processes of ours: at other addresses, or engines that analyse."""
